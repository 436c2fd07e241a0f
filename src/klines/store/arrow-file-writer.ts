import { Message, RecordBatchFileWriter, type Schema } from 'apache-arrow'

/**
 * Writes Arrow IPC files that are also whole as streams: the library's own writer leaves out the schema message that the
 * format has after the signature, and readers that do not begin at the footer then find nothing.
 */
export class ArrowFileWriter extends RecordBatchFileWriter {
  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema)
    return this._writeMessage(Message.from(schema))
  }
}
