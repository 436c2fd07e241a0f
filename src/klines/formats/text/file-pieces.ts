import type { FileHandle } from 'node:fs/promises'

/** Reads pieces of a file for who asks for their memory to be given back, which the collector of garbage would do late. */
export class FilePieces {
  readonly byteLength: number
  readonly #file: FileHandle
  readonly #given: ArrayBuffer[] = []

  /** `byteLength` is the size of the file, which its reader closes. */
  constructor(file: FileHandle, byteLength: number) {
    this.#file = file
    this.byteLength = byteLength
  }

  /** The bytes from `start` (included) to `end` (excluded), as many of them as there are. */
  async slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(Math.min(end, this.byteLength) - start)
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, start)
    if (bytesRead < bytes.length) throw new Error('The file became shorter.')
    this.#given.push(bytes.buffer)
    return bytes.buffer
  }

  /** Gives back the memory of all pieces so far, which nobody may use then. */
  giveBack(): void {
    for (const piece of this.#given.splice(0)) piece.transfer(0)
  }
}
