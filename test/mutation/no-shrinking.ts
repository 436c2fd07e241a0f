import * as fc from 'fast-check'

// That a property fails is all that a mutant is to show. Looking for its smallest counterexample would take most of the time.
fc.configureGlobal({ endOnFailure: true })
