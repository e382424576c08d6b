// What the keys of every page open: in one script.
export { Finder } from './finder.tsx'
export { KeysDialog } from './keys-dialog.tsx'
