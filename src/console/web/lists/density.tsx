import { signal } from '@preact/signals'
import { Rows2, Rows4 } from 'lucide'
import { Tool } from '../parts/tool.tsx'
import { t } from '../text/texts.ts'

const storageKey = 'kontor.density'

/** Whether lists have compact rows, which this browser remembers. */
export const isCompact = signal(remembered())

/** Switches between roomy and compact rows, in all lists. */
export function DensityButton() {
  const compact = isCompact.value
  const choose = () => {
    isCompact.value = !compact
    try {
      localStorage.setItem(storageKey, compact ? 'roomy' : 'compact')
    } catch {
      // A browser without storage forgets the choice with the page.
    }
  }
  return <Tool icon={compact ? Rows2 : Rows4} label={compact ? t('Roomy rows') : t('Compact rows')} onClick={choose} />
}

function remembered(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'compact'
  } catch {
    return false
  }
}
