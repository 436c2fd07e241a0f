import { posix } from 'node:path'
import { importsOf } from './source-text.ts'
import type { SourceFile } from './violations.ts'

/** Import rule of one folder of a big room. */
export interface Folder {
  /** Relative to the root of the project. */
  readonly path: string
  /** Names of sibling folders; `.` for the files beside them. */
  readonly imports: readonly string[]
}

/** Reads the folders from the section "Folders" of ARCHITECTURE.md. */
export function foldersIn(markdown: string): Folder[] {
  const section = /## Folders\n([\s\S]*?)(?=\n## |$)/.exec(markdown)?.[1] ?? ''
  return section
    .split('\n')
    .filter(line => /^\| `/.test(line))
    .map(line => {
      const [, name = '', , imports = ''] = line.split('|')
      return { path: quoted(name)[0] ?? '', imports: quoted(imports) }
    })
}

/** Imports of one file that the table of folders forbids, in sentences. */
export function folderViolations(file: SourceFile, folders: readonly Folder[]): string[] {
  const room = folders.map(({ path }) => posix.dirname(path)).find(path => file.path.startsWith(`${path}/`))
  if (room === undefined || siblingOf(file.path, room) === '.') return []
  const folder = folders.find(({ path }) => file.path.startsWith(`${path}/`))
  if (folder === undefined) return [`${file.path} lies in no folder of ARCHITECTURE.md.`]
  return siblingImports(file, folder)
    .filter(({ sibling }) => !folder.imports.includes(sibling))
    .map(({ target }) => `${file.path} imports ${target}, which ${folder.path} may not.`)
}

/** Permissions of the table that no file needs, in sentences. */
export function idlePermissions(files: readonly SourceFile[], folders: readonly Folder[]): string[] {
  return folders.flatMap(folder => {
    const used = files
      .filter(({ path }) => path.startsWith(`${folder.path}/`))
      .flatMap(file => siblingImports(file, folder))
      .map(({ sibling }) => sibling)
    return folder.imports
      .filter(name => !used.includes(name))
      .map(name => `${folder.path} may import ${name}, but does not.`)
  })
}

/** Folders of the table that may import themselves by way of their siblings. */
export function circularFolders(folders: readonly Folder[]): string[] {
  return folders.map(({ path }) => path).filter(path => reachable(path, folders).has(path))
}

function reachable(from: string, folders: readonly Folder[]): Set<string> {
  const found = new Set<string>()
  const next = [from]
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    const { imports = [] } = folders.find(folder => folder.path === path) ?? {}
    const siblings = imports.filter(name => name !== '.').map(name => posix.join(path ?? '', '..', name))
    for (const sibling of siblings.filter(other => !found.has(other))) {
      found.add(sibling)
      next.push(sibling)
    }
  }
  return found
}

/** Imports of a file from other folders of its room, and from the room's own floor. */
function siblingImports({ path, text }: SourceFile, folder: Folder) {
  const room = posix.dirname(folder.path)
  return importsOf(text)
    .filter(from => from.startsWith('.'))
    .map(from => posix.join(posix.dirname(path), from))
    .filter(target => target.startsWith(`${room}/`) && !target.startsWith(`${folder.path}/`))
    .map(target => ({ target, sibling: siblingOf(target, room) }))
}

/** Folder of a room that a file of it lies in; `.` for a file on the room's own floor. */
function siblingOf(path: string, room: string): string {
  const [first = '', ...rest] = path.slice(room.length + 1).split('/')
  return rest.length === 0 ? '.' : first
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, inner]) => inner ?? '')
}
