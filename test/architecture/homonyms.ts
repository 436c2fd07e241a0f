import { codeOf } from './source-text.ts'

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm

/** A sentence for each exported name that more than one file declares, with these files; overloads count once. */
export function homonymsIn(sources: readonly { readonly path: string; readonly text: string }[]): string[] {
  const homes = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, name = ''] of codeOf(text).matchAll(EXPORTED))
      homes.set(name, (homes.get(name) ?? new Set()).add(path))
  return [...homes]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${[...paths].join(' and ')} export different things as ${name}.`)
}
