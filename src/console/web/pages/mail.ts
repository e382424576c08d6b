// The pages of mail share one script.
export { Inbox } from '../mail-inbox/inbox-page.tsx'
export { MailSettings } from '../settings/settings-mail.tsx'
