// What the keys of every page open, and the shell shows rarely: in one script.
export { Finder } from './finder.tsx'
export { KeysDialog } from './keys-dialog.tsx'
export { NoticeCard } from './notice-card.tsx'
