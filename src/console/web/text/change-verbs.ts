import { ArchiveRestore, ArrowRight, Check, CircleX, Eraser, Merge, Pencil, Plus, Trash2, Trophy } from 'lucide'
import { word } from './format.ts'
import { t } from './texts.ts'

/** How a change is shown, by the last part of its type. */
export const verbs: Readonly<Record<string, { label: string; icon: unknown }>> = {
  created: { label: t('Created'), icon: Plus },
  updated: { label: t('Changed'), icon: Pencil },
  deleted: { label: t('Deleted'), icon: Trash2 },
  restored: { label: t('Restored'), icon: ArchiveRestore },
  erased: { label: t('Erased permanently'), icon: Eraser },
  merged: { label: t('Merged'), icon: Merge },
  stage_changed: { label: t('Moved'), icon: ArrowRight },
  won: { label: t('Won'), icon: Trophy },
  lost: { label: t('Lost'), icon: CircleX },
  completed: { label: t('Completed'), icon: Check },
}

export function verbLabel(verb: string): string {
  return verbs[verb]?.label ?? word(verb)
}
