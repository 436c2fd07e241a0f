import { Journal } from '../../src/journal/journal.ts'

/** Appends and commits one entry after another, and says the number of each once it is committed; until it is killed. */
const journal = new Journal(process.argv[2] ?? '')
for (;;) {
  const seq = journal.append({ kind: 'note', time: 0, body: { text: 'x'.repeat(200) } })
  if (seq % 3 !== 0) continue
  journal.commit()
  process.stdout.write(`${seq}\n`)
}
