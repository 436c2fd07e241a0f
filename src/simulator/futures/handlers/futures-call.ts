import { type IncomingCall, userOf } from '../../incoming-call.ts'
import { ApiError } from '../../protocol/api-error.ts'
import type { RequestParameters } from '../../protocol/request-parameters.ts'
import type { ListedContract } from '../listed-contract.ts'
import type { FuturesAccount } from '../positions/futures-account.ts'

/** The futures account of a signed call. */
export function accountOf(call: IncomingCall): FuturesAccount {
  return call.futures.accountOf(userOf(call).account.uid)
}

/** The contract a call names; throws `ApiError` if it is missing or unknown. */
export function contractOf({ futures, parameters }: IncomingCall): ListedContract {
  return futures.contractOf(parameters.text('contractName'))
}

/** The contract a call names, if it names one. */
export function optionalContract(call: IncomingCall): ListedContract | undefined {
  return call.parameters.text('contractName') === undefined ? undefined : contractOf(call)
}

/** A whole id of any length; throws `ApiError` for other text. */
export function idOf(parameters: RequestParameters, name: string): bigint | undefined {
  const text = parameters.text(name)
  if (text === undefined) return undefined
  if (!/^\d{1,30}$/.test(text)) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
  return BigInt(text)
}

/** A whole number that must be one of `codes`; throws `ApiError`. */
export function knownCode<Code extends number>(
  parameters: RequestParameters,
  name: string,
  codes: readonly Code[],
): Code {
  const text = parameters.required(name)
  const code = codes.find(known => String(known) === text)
  if (code === undefined) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
  return code
}

/**
 * A page of records (newest first): the newest `limit`, or with `fromId` the `limit` lowest ids from that one
 * on, the highest first, so that a client that continues from the highest misses none.
 */
export function pageOf<Item>(
  items: Iterable<Item>,
  idOfItem: (item: Item) => bigint,
  parameters: RequestParameters,
): Item[] {
  const limit = parameters.limit(100, 500)
  const from = idOf(parameters, 'fromId')
  if (from === undefined) return Iterator.from(items).take(limit).toArray()
  const found = [...items].filter(item => idOfItem(item) >= from)
  return found.toSorted((left, right) => Number(idOfItem(right) - idOfItem(left))).slice(-limit)
}
