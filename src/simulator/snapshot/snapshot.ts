import { z } from 'zod'
import { UsageError } from '../../domain/sluice-error.ts'
import type { ExchangeInput } from '../exchange-input.ts'
import type { JsonValue } from '../protocol/json-text.ts'
import type { SimulatorConfigInput } from '../simulator-config.ts'

/** Raised by every incompatible change of the format. */
export const SNAPSHOT_FORMAT = 'sluice-exchange-1'

/** The whole state of an exchange: its configuration and all inputs since, from which the state follows. */
export interface Snapshot {
  readonly format: string
  /** ms UTC; `null` for an exchange that has not opened. */
  readonly time: number | null
  /** Of the state that the inputs lead to. */
  readonly stateHash: string
  readonly config: SimulatorConfigInput
  readonly inputs: readonly ExchangeInput[]
  /** The state itself, for reading. */
  readonly state: JsonValue
}

const snapshotSchema = z.looseObject({
  format: z.literal(SNAPSHOT_FORMAT),
  time: z.number().nullable(),
  stateHash: z.string(),
  config: z.looseObject({}),
  inputs: z.array(z.looseObject({ type: z.string(), time: z.number() })),
})

/** Reads a snapshot from parsed JSON; throws `UsageError` for other JSON. */
export function readSnapshot(json: unknown): Snapshot {
  const result = snapshotSchema.safeParse(json)
  if (!result.success) {
    throw new UsageError(
      `This is no snapshot of a simulated exchange in the format ${SNAPSHOT_FORMAT}; give one as it was taken.`,
    )
  }
  return result.data as unknown as Snapshot // restoring it checks that it leads to the state it was taken of
}
