declare module 'lz4js' {
  /**
   * Decompresses the block of `length` bytes at `start` of `source` to `at` of `target`, whose bytes before that it may refer
   * to, and returns where it ends there. What is damaged gives wrong bytes, and may end behind `target`.
   */
  export function decompressBlock(
    source: Uint8Array,
    target: Uint8Array,
    start: number,
    length: number,
    at: number,
  ): number
}
