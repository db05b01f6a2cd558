declare module 'tweetnacl-sealedbox-js' {
  const sealedBox: {
    /** Returns null if the keys are not those of the receiver. */
    open(sealed: Uint8Array, publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array | null;
  };
  export default sealedBox;
}
