import { posix } from 'node:path'
import { isWithin, type Room, roomOfFile } from './import-rules.ts'
import { codeOf, importsOf } from './source-text.ts'

/** A file of the project; its path is relative to the root. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** What authors of strategies import. */
const BARRELS = ['src/strategy/index.ts', 'src/streams/index.ts']
const VAGUE_NAME = /^(utils?|helpers?|common|types|managers?|services?)$/
const IMPURE =
  /(?<!\.)\b(Date|Math\.random|console|process(?=\.)|performance|globalThis|crypto|fetch|Promise|async|await|queueMicrotask|(?:set|clear)(?:Timeout|Interval|Immediate))\b/g

/** Everything in one file that the rules of the house forbid, in sentences. */
export function violationsOf(file: SourceFile, rooms: readonly Room[]): string[] {
  const room = roomOfFile(file.path, rooms)
  if (room === undefined) return [`${file.path} lies in no room of ARCHITECTURE.md.`]
  return [
    ...nameViolations(file),
    ...exportViolations(file),
    ...importsOf(file.text).flatMap(from => importViolations(file, from, room)),
    ...(room.isPure ? impurities(file) : []),
  ]
}

/** Imports that the rules of rooms allow and no file needs, in sentences. */
export function idleRoomImports(files: readonly SourceFile[], rooms: readonly Room[]): string[] {
  return rooms.flatMap(room => {
    const targets = files
      .filter(({ path }) => roomOfFile(path, rooms) === room)
      .flatMap(({ path, text }) => importsOf(text).map(from => posix.join(posix.dirname(path), from)))
    return room.folders
      .filter(folder => !targets.some(target => isWithin(target, folder)))
      .map(folder => `${room.path} may import ${folder}, but does not.`)
  })
}

function nameViolations({ path }: SourceFile): string[] {
  const vague = path.split('/').find(part => VAGUE_NAME.test(part.replace(/\.test\.ts$|\.ts$/, '')))
  return vague === undefined ? [] : [`${path} is called "${vague}"; name the thing that it is.`]
}

function exportViolations({ path, text }: SourceFile): string[] {
  const code = codeOf(text)
  const isStrategy = isWithin(path, 'strategies')
  const violations: string[] = []
  if (!isStrategy && /^export default\b|^export\s*\{[^}]*\bas default\b/m.test(code)) {
    violations.push(`${path} has a default export; only strategies have one.`)
  }
  const isBarrel = path.endsWith('/index.ts') || /^export\s*\*/m.test(code) || hasOnlyReexports(code)
  if (!BARRELS.includes(path) && isBarrel)
    violations.push(`${path} is a barrel; import each thing from where it lives.`)
  return violations
}

function hasOnlyReexports(code: string): boolean {
  const rest = code.replaceAll(/^export\s+(?:type\s+)?\{[^}]*\}\s*from\s*'\d+'/gm, '')
  return rest !== code && rest.replaceAll(/[\s;]/g, '') === ''
}

function importViolations({ path }: SourceFile, from: string, room: Room): string[] {
  if (!from.startsWith('.')) return packageViolations(path, from, room)
  const target = posix.join(posix.dirname(path), from)
  const allowed = [room.path, ...room.folders].some(folder => isWithin(target, folder))
  return allowed ? [] : [`${path} imports ${target}, which ${room.path} may not.`]
}

function packageViolations(path: string, from: string, room: Room): string[] {
  const name = from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
  return room.packages === 'any' || room.packages.includes(name)
    ? []
    : [`${path} imports the package ${from}, which ${room.path} may not.`]
}

function impurities({ path, text }: SourceFile): string[] {
  const found = new Set([...codeOf(text).matchAll(IMPURE)].map(([word]) => word))
  return [...found].map(word => `${path} uses ${word}, but its room is pure.`)
}
