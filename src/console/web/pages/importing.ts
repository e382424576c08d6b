// The pages of imports and of duplicates share one script.
export { Duplicates } from './duplicates.tsx'
export { Import } from './import.tsx'
export { ImportResult } from './import-result.tsx'
