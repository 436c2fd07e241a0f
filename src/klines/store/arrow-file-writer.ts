import { Message, RecordBatchFileWriter, type Schema } from 'apache-arrow'

/**
 * Writes Arrow IPC files that are also valid as streams: the library's own writer omits the schema message
 * that the format requires after the signature, and readers that do not begin at the footer then find no
 * data.
 */
export class ArrowFileWriter extends RecordBatchFileWriter {
  readonly #head: Uint8Array[] = []
  readonly #rows: Uint8Array[] = []
  readonly #end: Uint8Array[] = []
  #part = this.#head

  /**
   * The file in three parts, for one batch: the bytes before its rows, the rows (views of the columns, not
   * copies), the bytes after them.
   */
  parts(): { readonly head: Uint8Array; readonly rows: readonly Uint8Array[]; readonly end: Uint8Array } {
    return { head: Buffer.concat(this.#head), rows: this.#rows, end: Buffer.concat(this.#end) }
  }

  protected override _writeBodyBuffers(buffers: ArrayBufferView[]): this {
    this.#part = this.#rows
    super._writeBodyBuffers(buffers)
    this.#part = this.#end
    return this
  }

  // The library writes only views.
  protected override _write(chunk: ArrayBufferView): this {
    this.#part.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    return super._write(chunk)
  }

  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema)
    return this._writeMessage(Message.from(schema))
  }
}
