import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROJECT_FOLDER = resolve(import.meta.dirname, '../..')

/** Stack depth that covers all calls of a module during its import. */
const MOST_FRAMES = 200

/** True for a file of Sluice or of a package; `file` is a path or a URL. */
export function isTrustedFile(file: string): boolean {
  if (file.startsWith('node:') || /[\\/]node_modules[\\/]/.test(file)) return true
  return /^(src|backtest)[\\/]/.test(relative(PROJECT_FOLDER, pathOf(file)))
}

/** File from which Node runs promise reactions. */
const REACTIONS = 'node:internal/process/task_queues'

/** True if the running code was called by a strategy file, or is a promise reaction itself. */
export function isCalledByStrategy(): boolean {
  const files = callingFiles()
  return files.every(file => file === REACTIONS) || !files.every(isTrustedFile)
}

/** Files of all functions on the call stack. */
function callingFiles(): readonly string[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: readonly string[] } = {}
  Error.stackTraceLimit = MOST_FRAMES
  Error.prepareStackTrace = (_error, frames: NodeJS.CallSite[]) =>
    frames.filter(frame => !frame.isAsync()).flatMap(fileOf)
  try {
    Error.captureStackTrace(holder, callingFiles)
    return (holder.stack ?? []).filter(file => !pathOf(file).startsWith(import.meta.dirname))
  } finally {
    Error.prepareStackTrace = prepareStackTrace
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Evaluated code belongs to the file that evaluated it. */
function fileOf(frame: NodeJS.CallSite): readonly string[] {
  const file = frame.getFileName() ?? frame.getEvalOrigin()?.match(/\((.+?):\d+:\d+\)/)?.[1]
  return file === undefined || file === null || file === 'native' ? [] : [file]
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/, '')) : file
}
