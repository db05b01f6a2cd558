/** The browsers and tools by the product in their User-Agent. Others claim to be the products after them. */
const PROGRAMS: readonly (readonly [product: RegExp, name: string])[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [system: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const LENGTH_MAX = 60;

/** Returns the name of a program by its User-Agent, such as "Firefox on Linux". */
export function programName(userAgent: string): string {
  const text = userAgent.trim();
  if (text === '') return 'Unknown program';
  const nameIn = (table: typeof PROGRAMS) => table.find(([pattern]) => pattern.test(text))?.[1];
  const program = nameIn(PROGRAMS);
  if (program === undefined) return shortened(text);
  const system = nameIn(SYSTEMS);
  return system === undefined ? program : `${program} on ${system}`;
}

/** Other programs describe themselves as in `curl/8.5.0 (…)`, of which only the product is of interest. */
function shortened(text: string): string {
  const product = /^([\w.-]+)\/[\w.+-]+/.exec(text)?.[0]?.replace('/', ' ');
  if (product !== undefined && !product.startsWith('Mozilla ')) return product;
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)} …` : text;
}
