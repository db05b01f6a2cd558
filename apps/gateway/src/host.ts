/** Whether this is what a `Host` may hold: a name or an address, perhaps a port, and nothing else. */
export function isHost(host: string | undefined): boolean {
  const url = URL.parse(`http://${host ?? ''}/`);
  return url !== null && url.username === '' && url.password === '' && url.pathname + url.search + url.hash === '/';
}
