import { address, mailDomain } from '../lib/setting-kinds.ts'
import { setting } from './setting.ts'

/** How mail arrives (docs/mail.md). */
export const mailDefinitions = {
  mailDomain: setting(
    '--mail-domain <name>',
    'KONTOR_MAIL_DOMAIN',
    '',
    'domain of the addresses at which Kontor takes mail, such as in.example.com; none: it takes no mail',
    mailDomain,
  ),
  smtpListen: setting(
    '--smtp-listen <host:port>',
    'KONTOR_SMTP_LISTEN',
    '',
    'address that takes mail by SMTP for the mail domain; STARTTLS has the certificate of --tls-cert',
    address,
  ),
} as const
