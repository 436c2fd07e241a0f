import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The folder that Sluice lies in. */
export const PROJECT_FOLDER = resolve(import.meta.dirname, '../..')

/** The version of Sluice. */
export function projectVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(resolve(PROJECT_FOLDER, 'package.json'), 'utf8'),
  )
  return version
}
