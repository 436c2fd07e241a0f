import { Writable } from 'node:stream'

/** A terminal, or what is none, whose text `onText` hears. */
export function heardStream(isTTY: boolean, onText: (text: string) => void): NodeJS.WriteStream {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      onText(String(chunk))
      done()
    },
  })
  // All of a terminal that progress asks for.
  return Object.assign(sink, { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream
}
