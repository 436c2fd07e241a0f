import { enableCompileCache } from 'node:module'

// Node keeps compiled modules among the system's temporary files; that halves the time of every start but the first. This
// file is JavaScript because Node would load its stripper of types to read it, which kept modules do without.
enableCompileCache()
await import('./main.ts')
