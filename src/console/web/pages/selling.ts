// The pages of records share one script.

export { List } from '../lists/list-page.tsx'
export { Record } from '../record/record-page.tsx'
export { Tasks } from '../tasks/tasks-page.tsx'
