import { Message, RecordBatchFileWriter, type Schema } from 'apache-arrow'

/**
 * Writes Arrow IPC files that are also whole as streams: the library's own writer leaves out the schema message that the
 * format has after the signature, and readers that do not begin at the footer then find nothing.
 */
export class ArrowFileWriter extends RecordBatchFileWriter {
  readonly #head: Uint8Array[] = []
  readonly #rows: Uint8Array[] = []
  readonly #end: Uint8Array[] = []
  #part = this.#head

  /** The file in three parts, for one batch: what comes before its rows, the rows (views of the columns, not copies), what comes behind. */
  parts(): { readonly head: Uint8Array; readonly rows: readonly Uint8Array[]; readonly end: Uint8Array } {
    return { head: Buffer.concat(this.#head), rows: this.#rows, end: Buffer.concat(this.#end) }
  }

  protected override _writeBodyBuffers(buffers: ArrayBufferView[]): this {
    this.#part = this.#rows
    super._writeBodyBuffers(buffers)
    this.#part = this.#end
    return this
  }

  // The library writes nothing but views.
  protected override _write(chunk: ArrayBufferView): this {
    this.#part.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    return super._write(chunk)
  }

  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema)
    return this._writeMessage(Message.from(schema))
  }
}
