declare module 'lz4js' {
  /**
   * Decompresses the block of `length` bytes at `start` of `source` to `at` of `target`, whose earlier bytes
   * it may refer to; returns the end position there. A damaged block gives wrong bytes, and may end beyond
   * `target`.
   */
  export function decompressBlock(
    source: Uint8Array,
    target: Uint8Array,
    start: number,
    length: number,
    at: number,
  ): number
}
