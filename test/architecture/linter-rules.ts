import { isWithin, type Room } from './import-rules.ts'

const IMPURE_GLOBALS = `Date console process performance globalThis crypto fetch Promise queueMicrotask
  setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate`.split(/\s+/)

/** The overrides of the linter's configuration that say what the table says. */
export function linterRules(rooms: readonly Room[]): object[] {
  return [
    pureGlobals(rooms.filter(({ isPure }) => isPure)),
    ...rooms.flatMap(room => importRule(room, rooms)),
  ]
}

function pureGlobals(rooms: readonly Room[]): object {
  const deniedGlobals = Object.fromEntries(IMPURE_GLOBALS.map(name => [name, 'A pure room gets it as data.']))
  return override(
    rooms.map(({ path }) => `${path}/**`),
    { noRestrictedGlobals: { level: 'error', options: { deniedGlobals } } },
  )
}

/** None where everything is allowed. */
function importRule(room: Room, rooms: readonly Room[]): object[] {
  const group = [
    ...deniedFolders(room, rooms),
    ...(room.isPure && !room.packages.includes('rxjs') ? ['rxjs', 'rxjs/**'] : []),
    ...(room.isPure ? ['node:*', 'node:*/**'] : []),
  ]
  if (group.length === 0) return []
  const patterns = [{ group, message: `See the import rules of ${room.path} in ARCHITECTURE.md.` }]
  const includes = [room.path.endsWith('.ts') ? room.path : `${room.path}/**`]
  return [override(includes, { noRestrictedImports: { level: 'error', options: { patterns } } })]
}

/** Patterns of import texts, which are relative: only a folder's own name can be told. */
function deniedFolders({ path: own, folders }: Room, rooms: readonly Room[]): string[] {
  const denied = rooms
    .map(({ path }) => path)
    .filter(path => path !== own && !path.endsWith('.ts'))
    .filter(path => !folders.some(folder => isWithin(path, folder)))
  const parts = folders.filter(folder => denied.some(path => folder.startsWith(`${path}/`))).map(nameOf)
  const exceptions = parts.flatMap(part => [`!**/${part}.ts`, `!**/${part}/**`])
  return denied.length === 0 ? [] : [`**/{${denied.map(nameOf).join(',')}}/**`, ...exceptions]
}

function nameOf(path: string): string {
  return path.replace('src/', '')
}

function override(includes: readonly string[], style: object): object {
  return { includes, linter: { rules: { style } } }
}
