/** Encrypts a text for the owner of a public key, as GitHub expects it. Both keys and texts are base64. */
export async function sealText(text: string, publicKey: string): Promise<string> {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  const sealed = sodium.crypto_box_seal(Buffer.from(text), Buffer.from(publicKey, 'base64'));
  return Buffer.from(sealed).toString('base64');
}
