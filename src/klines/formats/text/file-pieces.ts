import type { FileHandle } from 'node:fs/promises'

/**
 * Reads pieces of a file into memory that can be freed explicitly; the garbage collector would free it late.
 */
export class FilePieces {
  readonly byteLength: number
  readonly #file: FileHandle
  readonly #given: ArrayBuffer[] = []

  /** `byteLength` is the size of the file, which the caller closes. */
  constructor(file: FileHandle, byteLength: number) {
    this.#file = file
    this.byteLength = byteLength
  }

  /** The bytes from `start` (included) to `end` (excluded), up to the end of the file. */
  async slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(Math.min(end, this.byteLength) - start)
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, start)
    if (bytesRead < bytes.length) throw new Error('The file became shorter.')
    this.#given.push(bytes.buffer)
    return bytes.buffer
  }

  /** Frees the memory of all pieces so far; they must not be used afterwards. */
  giveBack(): void {
    for (const piece of this.#given.splice(0)) piece.transfer(0)
  }
}
