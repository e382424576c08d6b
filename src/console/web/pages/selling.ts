// The pages of records share one script.
export { List } from './list.tsx'
export { Pipeline } from './pipeline.tsx'
export { Record } from './record.tsx'
export { Tasks } from './tasks.tsx'
