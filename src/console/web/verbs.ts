import { ArchiveRestore, ArrowRight, Check, CircleX, Eraser, Merge, Pencil, Plus, Trash2, Trophy } from 'lucide'
import { word } from './format.ts'

/** How a change is shown, by the last part of its type. */
export const verbs: Readonly<Record<string, { label: string; icon: unknown }>> = {
  created: { label: 'Created', icon: Plus },
  updated: { label: 'Changed', icon: Pencil },
  deleted: { label: 'Deleted', icon: Trash2 },
  restored: { label: 'Restored', icon: ArchiveRestore },
  erased: { label: 'Erased permanently', icon: Eraser },
  merged: { label: 'Merged', icon: Merge },
  stage_changed: { label: 'Moved', icon: ArrowRight },
  won: { label: 'Won', icon: Trophy },
  lost: { label: 'Lost', icon: CircleX },
  completed: { label: 'Completed', icon: Check },
}

export function verbLabel(verb: string): string {
  return verbs[verb]?.label ?? word(verb)
}
