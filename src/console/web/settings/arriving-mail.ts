import { t } from '../text/texts.ts'

/** Who sees what arrives, below the choice of an audience. */
export function audienceHint(audience: unknown): string {
  return audience === 'team'
    ? t('Everybody who reads messages.')
    : t('Only the users who sent or received a mail, no admin either.')
}

/** Who sees what arrives at an address or from a mailbox. */
export function arrivingText(audience: string): string {
  return audience === 'team' ? t('Everybody sees what arrives') : t('Only who sent or received a mail sees it')
}
