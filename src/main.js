// This file is plain JavaScript of 2017, without import statements: a Node too old for everything else still reads it, as a
// script or as a module, and says what to do about it.
const OLDEST_NODE = 26

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(`${sentenceOfOldNode(process.argv.slice(2), process.env.npm_lifecycle_event)}\n`)
  process.exit(2)
}

// An exit code of its own for a promise that nothing settles: without one, the process would end as if all were well.
process.exitCode = 1

// Node keeps compiled modules among the system's temporary files; that halves the time of every start but the first. Node
// would load its stripper of types to read this file if it were TypeScript, which kept modules do without. Threads read the
// place of these modules in the environment.
import('node:module')
  .then(({ enableCompileCache }) => {
    const { directory } = enableCompileCache()
    const { env } = process
    if (env.NODE_COMPILE_CACHE === undefined && directory !== undefined) env.NODE_COMPILE_CACHE = directory
    return import('./main.ts')
  })
  .catch(error => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/^Cannot find package/.test(error.message)) throw error
    process.stderr.write(
      'The packages that Sluice uses are not installed: type "npm ci", and then the same again.\n',
    )
    process.exit(2)
  })

function sentenceOfOldNode(args, script) {
  const found = `Sluice needs Node ${OLDEST_NODE} or newer, but this is Node ${process.versions.node}`
  // Scripts of npm find the Node of the project first, so it is not there.
  if (script !== undefined && script !== 'npx') {
    return `${found}: type "npm ci", which installs the Node of the project, and then the same again.`
  }
  return `${found}: type "npm ci" once, which installs the Node of the project, and then "${npmLine(args)}", which uses it.`
}

function npmLine(args) {
  const command = args[0] === undefined || args[0].startsWith('-') ? 'start' : args[0]
  const options = command === args[0] ? args.slice(1) : args
  const script = command === 'start' ? 'npm start' : `npm run ${command}`
  return [script, ...(options.length > 0 ? ['--', ...options.map(quoted)] : [])].join(' ')
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`
}
