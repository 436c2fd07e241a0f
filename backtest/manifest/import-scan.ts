/** Imports in the text of a module. */
export interface ImportScan {
  /** Specifiers as they are written, each once, in order: `./rules.ts`, `trading-signals`, `node:fs`. */
  readonly specifiers: readonly string[]
  /** `import(…)` and `require(…)` with a computed argument, as they are written. */
  readonly computed: readonly string[]
}

/** `import … from '…'` and `export … from '…'`, which must not cross a statement's end; not those of types, which are erased. */
const FROM = /\b(?:import|export)\b(?!\s+type\b)[^'"`;()=]*?\bfrom\s*(['"])(.+?)\1/g
/** `import '…'`. */
const BARE = /\bimport\s*(['"])(.+?)\1/g
/** `import('…')`, `require('…')` and `getBuiltinModule('…')`. */
const CALLED = /\b(?:import|require|getBuiltinModule)\s*\(\s*(['"`])([^'"`$]+)\1\s*[,)]/g
const COMPUTED = /\b(?:import|require|getBuiltinModule)\s*\(\s*(?!\s)(?!(['"`])[^'"`$]+\1\s*[,)])[^\n]{0,40}/g

/**
 * Reads imports out of the text of a module without running it. A scan, not a parser: text within a string
 * that looks like an import counts as one. A hash may thus cover too much, or a report name a false import,
 * but none is missed. Comments are left out.
 */
export function importsIn(source: string): ImportScan {
  const code = withoutComments(source)
  const found = [FROM, BARE, CALLED].flatMap(pattern => [...code.matchAll(pattern)])
  const inOrder = found
    .sort((left, right) => left.index - right.index)
    .map(([, , specifier = '']) => specifier)
  return {
    specifiers: [...new Set(inOrder)],
    computed: [...code.matchAll(COMPUTED)].map(([text]) => text.trim()),
  }
}

/** Comments become a space; strings and templates stay, because `//` within them is no comment. */
function withoutComments(source: string): string {
  return source.replace(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, text: string | undefined) => text ?? ' ',
  )
}
