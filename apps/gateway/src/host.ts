/** Returns whether the text is a valid `Host` header: a name or an address, optionally with a port. */
export function isHost(host: string | undefined): boolean {
  const url = URL.parse(`http://${host ?? ''}/`);
  return url !== null && url.username === '' && url.password === '' && url.pathname + url.search + url.hash === '/';
}
