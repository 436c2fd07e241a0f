import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { type AskedPath, askedPaths, queryOf, ROWS, type Sample } from './asked-paths.ts'
import { type CallOutcome, exists, outcomeOf } from './call-outcome.ts'
import type { HostReply } from './host-reply.ts'
import { inParallel } from './in-parallel.ts'
import type { KeyedCalls } from './keyed-calls.ts'

/** A call asked for at one path. */
export interface CallTried extends AskedPath {
  readonly outcome: CallOutcome
  readonly reply: HostReply | undefined
}

/** Sends a GET of a path behind the prefix of the host, without a key. */
export type Ask = (path: string) => Promise<HostReply>

/** Host and instrument that are asked about, and how. */
export interface TriedWith {
  readonly host: Host
  readonly sample: Sample
  readonly strays: ReadonlySet<string>
  readonly key: KeyedCalls | undefined
}

/** Asks for every call of a host at every version; a POST is not sent. */
export async function triedCalls(
  ask: Ask,
  { host, sample, strays, key }: TriedWith,
): Promise<readonly CallTried[]> {
  const pathsOf = (method: 'GET' | 'POST') =>
    askedPaths(ROWS.filter(row => row.host === host && row.method === method))
  const reads = pathsOf('GET')
  const isSigned = key !== undefined && key.verdict === undefined
  const tried = await inParallel(reads, async asked => {
    const target = `${asked.path}${queryOf(asked.row, sample)}`
    const withKey = isSigned && asked.row.security !== 'NONE'
    const reply = withKey ? await key.get(target) : await ask(target)
    return { ...asked, reply, outcome: outcomeOf(asked.row, reply, strays, withKey) }
  })
  const taken = new Set(reads.map(({ path }) => path))
  const [hidden, posts] = partitioned(pathsOf('POST'), ({ path }) => taken.has(path))
  return [...resolved(tried), ...hidden.map(untold), ...(await triedPosts(ask, posts, strays))]
}

/**
 * A POST is asked for with a GET without a key, which can do nothing: some hosts tell a wrong method from a missing
 * path. Where cancels do not show that way, the others are not asked for.
 */
async function triedPosts(
  ask: Ask,
  posts: readonly AskedPath[],
  strays: ReadonlySet<string>,
): Promise<readonly CallTried[]> {
  const tried = async (asked: AskedPath): Promise<CallTried> => {
    const reply = await ask(asked.path)
    return { ...asked, reply, outcome: outcomeOf(asked.row, reply, strays, false) }
  }
  const isCancel = ({ row: { key } }: AskedPath) => key === 'spotCancel' || key === 'futuresCancel'
  const cancels = await inParallel(posts.filter(isCancel), tried)
  const others = posts.filter(asked => !isCancel(asked))
  if (cancels.some(({ outcome }) => exists(outcome)))
    return [...cancels, ...(await inParallel(others, tried))]
  return [...cancels, ...others.map(untold)]
}

/** Where other calls ask for a key in words of their own, a reply as to a path that no host has tells a missing call. */
function resolved(tried: readonly CallTried[]): readonly CallTried[] {
  if (!tried.some(({ outcome }) => outcome === 'wantsKey')) return tried
  return tried.map(call => (call.outcome === 'ambiguous' ? { ...call, outcome: 'missing' } : call))
}

function untold(asked: AskedPath): CallTried {
  return { ...asked, reply: undefined, outcome: 'untold' }
}

function partitioned<Item>(items: readonly Item[], isFirst: (item: Item) => boolean) {
  return [items.filter(isFirst), items.filter(item => !isFirst(item))] as const
}
