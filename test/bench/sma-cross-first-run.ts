import { loadedKlines, smaCrossSpeed } from './sma-cross-speed.ts'

// A process of its own, started by sma-cross-cold.ts.
console.log(smaCrossSpeed(process.argv[2] === 'bare' ? 'bare' : 'sluice', loadedKlines()))
