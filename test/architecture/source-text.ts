const COMMENT_OR_LITERAL =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g

const IMPORTS = [
  /^(?:import|export)\s[^';]*?\sfrom\s*'(\d+)'/gm,
  /^import\s*'(\d+)'/gm,
  /\bimport\(\s*'(\d+)'/g,
]

/** Source without comments and without the text of literals; the code inside template literals stays. */
export function codeOf(source: string): string {
  return separate(source).code
}

/** What a source file imports or re-exports, statically or dynamically, as written. */
export function importsOf(source: string): string[] {
  const { code, literals } = separate(source)
  return IMPORTS.flatMap(pattern => [...code.matchAll(pattern)]).flatMap(
    ([, index]) => literals[Number(index)] ?? [],
  )
}

/** Each quoted literal is replaced by its index in `literals`. */
function separate(source: string): { code: string; literals: string[] } {
  const literals: string[] = []
  const code = source.replace(COMMENT_OR_LITERAL, match => {
    if (match.startsWith('/')) return ''
    if (match.startsWith('`'))
      return [...match.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => inner).join(' ')
    return `'${literals.push(match.slice(1, -1)) - 1}'`
  })
  return { code, literals }
}
