import { consoleMutants } from './console.ts'
import { dataMutants } from './data.ts'
import { httpMutants } from './http.ts'
import type { Mutant } from './mutant.ts'

/** The number stays the same, so that versions can be compared. A fault that no test notices is not replaced by an easier one. */
export const mutants: readonly Mutant[] = [...dataMutants, ...httpMutants, ...consoleMutants]
