import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROJECT_FOLDER = resolve(import.meta.dirname, '../..')

/** Enough for any chain of calls that a module makes while it is imported. */
const MOST_FRAMES = 200

/** Whether a file is one of Sluice or of a package; `file` is a path or a URL. */
export function isTrustedFile(file: string): boolean {
  if (file.startsWith('node:') || /[\\/]node_modules[\\/]/.test(file)) return true
  return /^(src|backtest)[\\/]/.test(relative(PROJECT_FOLDER, pathOf(file)))
}

/** Where Node calls reactions of promises. */
const REACTIONS = 'node:internal/process/task_queues'

/** Whether the running code is called by a strategy file, or is itself the reaction of a promise. */
export function isCalledByStrategy(): boolean {
  const files = callingFiles()
  return files.every(file => file === REACTIONS) || !files.every(isTrustedFile)
}

/** The files of all functions that wait for the running one. */
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

/** Code that was made of text belongs to the file that made it. */
function fileOf(frame: NodeJS.CallSite): readonly string[] {
  const file = frame.getFileName() ?? frame.getEvalOrigin()?.match(/\((.+?):\d+:\d+\)/)?.[1]
  return file === undefined || file === null || file === 'native' ? [] : [file]
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/, '')) : file
}
