import { Stage } from './bench/stage.mjs';

const stage = await Stage.open({ log: () => {} });
let failures = 0;
try {
  await stage.startServices();
  const url = stage.env.STRATA_CORE_URL;
  const headers = { authorization: `Api-Key ${stage.apiKey}`, 'content-type': 'application/json' };
  const ask = async (method, path, body, more = {}) => {
    const r = await fetch(path.startsWith('http') ? path : `${url}/api/v1/${path}`, {
      method,
      headers: { ...headers, ...more },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await r.text();
    let json = null;
    try {
      json = JSON.parse(text);
    } catch {}
    return { status: r.status, body: json, text, headers: r.headers };
  };
  const check = (name, ok, more) => {
    console.log(ok ? 'ok  ' : 'FAIL', name, ok ? '' : JSON.stringify(more)?.slice(0, 1500));
    if (!ok) failures++;
  };
  await (await import(process.argv[2])).default({ ask, check, stage });
} finally {
  await stage.close();
}
console.log(failures, 'failures');
process.exit(failures ? 1 : 0);
