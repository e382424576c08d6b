import type { ApiKey } from '../../../access/key.ts'
import { now } from '../session/now.ts'
import { t } from '../text/texts.ts'

type KeyCondition = 'active' | 'disabled' | 'expired' | 'revoked'

/** Revoked takes precedence over expired, and expired over disabled (decision A4). */
export function conditionOf({ revoked_at, expires_at, is_active }: ApiKey): KeyCondition {
  if (revoked_at) return 'revoked'
  if (expires_at && Date.parse(expires_at) <= now().getTime()) return 'expired'
  return is_active ? 'active' : 'disabled'
}

const shown: Record<KeyCondition, [label: string, tone: string]> = {
  active: [t('Active'), 'good'],
  disabled: [t('Disabled'), 'warn'],
  expired: [t('Expired'), 'bad'],
  revoked: [t('Revoked'), 'bad'],
}

export function KeyState({ of }: { of: ApiKey }) {
  const [label, tone] = shown[conditionOf(of)]
  return <span class={`badge ${tone}`}>{label}</span>
}

/** A short text for a list of scopes. */
export function scopesText(scopes: readonly string[]): string {
  if (scopes.includes('admin:all')) return t('Everything')
  if (scopes.includes('read:all') && scopes.includes('write:all')) return t('Read and write all')
  return scopes.length <= 2 ? scopes.join(', ') : `${scopes.slice(0, 2).join(', ')} +${scopes.length - 2}`
}
