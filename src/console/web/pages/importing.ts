// The pages of imports and of duplicates share one script.
export { Duplicates } from '../duplicates/duplicates-page.tsx'
export { Import } from '../import/import-page.tsx'
export { ImportResult } from '../import/import-result-page.tsx'
