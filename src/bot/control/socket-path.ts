import { lstatSync, type Stats } from 'node:fs'
import { connect } from 'node:net'

/** A path that a bot cannot listen on, in sentences: the reason, and the remedy. */
export interface TakenPath {
  readonly found: string
  readonly advice: string
}

/**
 * Reason that a bot cannot listen on a path: a bot answers there, or the path is not a socket. `undefined` if
 * the path is free, or holds the socket of a dead process. Changes nothing.
 */
export async function takenBy(path: string): Promise<TakenPath | undefined> {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there === undefined) return undefined
  if (!there.isSocket()) {
    return {
      found: `control.socket names ${path}, which is ${kindOf(there)}.`,
      advice: 'Give a path where no file is: the bot makes the socket itself.',
    }
  }
  if (!(await isAnswered(path))) return undefined
  return {
    found: `A bot with this configuration is running already (it listens on ${path}).`,
    advice: 'Stop it first, or give this one a configuration of its own.',
  }
}

function kindOf(there: Stats): string {
  if (there.isDirectory()) return 'a folder'
  if (there.isSymbolicLink()) return 'a symbolic link'
  return there.isFile() ? 'an ordinary file' : 'a device or a pipe'
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    const settle = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}
