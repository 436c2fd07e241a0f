import { SluiceError } from '../../domain/sluice-error.ts'

/** A call that breaks a rule of the interface document; nothing was sent. */
export class InvalidCallError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** Wire name of the parameter. */
  readonly parameter: string
  /** Rule that the parameter breaks, as the rest of a sentence about it. */
  readonly rule: string
  /** Section of the interface document. */
  readonly section: string

  constructor(endpoint: string, parameter: string, rule: string, section: string) {
    super(
      `The call ${endpoint} was not sent: ${parameter} ${rule} (exchange interface, section ${section}).`,
      { code: 'INVALID_CALL', reaction: 'exit' },
    )
    this.endpoint = endpoint
    this.parameter = parameter
    this.rule = rule
    this.section = section
  }
}
