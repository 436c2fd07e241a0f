import { configureGlobal } from 'fast-check'

/** Properties try the same random cases in every run, and others with `npm run properties`. */
configureGlobal({ seed: Number(process.env.SLUICE_SEED ?? 1) })
