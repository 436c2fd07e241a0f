import { DatabaseSync } from 'node:sqlite'
import { Journal } from '../../src/journal/journal.ts'

/** Opens a journal, and kills itself right before the given statement after the first; says that it has opened it. */
const [, , path = '', count = '0'] = process.argv
let left = Number(count)
const { exec, prepare } = DatabaseSync.prototype
const countDown = () => {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
}
DatabaseSync.prototype.exec = function (sql) {
  countDown()
  exec.call(this, sql)
}
DatabaseSync.prototype.prepare = function (sql, options) {
  countDown()
  return prepare.call(this, sql, options)
}
new Journal(path).close()
process.stdout.write('opened\n')
