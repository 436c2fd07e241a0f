import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Puts a package beside a strategy file, and has the file import it first. */
export function withPackage(file: string, name: string, code: string): string {
  const folder = join(dirname(file), 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `{"name":"${name}","type":"module","exports":"./index.js"}`)
  writeFileSync(join(folder, 'index.js'), code)
  const own = join(dirname(file), 'importing.ts')
  writeFileSync(own, `import '${name}'\nexport { default } from './${file.split('/').at(-1)}'\n`)
  return own
}
