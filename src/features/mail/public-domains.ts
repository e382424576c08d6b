// Domains at which anybody can have a mailbox: an address there says nothing about an organization (decision P5). Collected by hand from the
// sign-up pages of the largest providers of mail, and of access providers in Europe, America, Asia and Australia, in November 2026.

const domains = `
  gmail.com googlemail.com outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.co.uk hotmail.com hotmail.de hotmail.fr hotmail.it
  hotmail.es hotmail.co.uk live.com live.de live.fr live.it live.nl live.co.uk live.ca msn.com passport.com windowslive.com
  yahoo.com yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.ca yahoo.com.br yahoo.com.au ymail.com rocketmail.com
  icloud.com me.com mac.com aol.com aol.de aim.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.io tuta.com
  tutamail.com keemail.me gmx.de gmx.net gmx.at gmx.ch gmx.com gmx.info gmx.eu gmx.fr gmx.co.uk web.de email.de mail.de freenet.de t-online.de
  magenta.de arcor.de vodafone.de vodafonemail.de unitybox.de 1und1.de online.de posteo.de posteo.net posteo.eu mailbox.org mail.com email.com
  usa.com europe.com consultant.com post.com fastmail.com fastmail.fm zoho.com zohomail.com zohomail.eu hey.com hushmail.com runbox.com mailfence.com startmail.com
  disroot.org riseup.net systemli.org duck.com mozmail.com simplelogin.com yandex.com yandex.ru ya.ru mail.ru inbox.ru list.ru bk.ru rambler.ru
  ukr.net i.ua meta.ua seznam.cz email.cz post.cz centrum.cz atlas.cz volny.cz azet.sk centrum.sk zoznam.sk wp.pl o2.pl onet.pl op.pl interia.pl gazeta.pl
  poczta.fm tlen.pl freemail.hu citromail.hu indamail.hu abv.bg mail.bg inbox.lv inbox.lt mail.ee
  bluewin.ch hispeed.ch sunrise.ch swissonline.ch aon.at chello.at a1.net utanet.at
  orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr bbox.fr numericable.fr libero.it virgilio.it alice.it tin.it tim.it tiscali.it fastwebnet.it
  inwind.it iol.it email.it pec.it telefonica.net terra.es ono.com movistar.es sapo.pt mail.telepac.pt netcabo.pt
  ziggo.nl kpnmail.nl planet.nl hetnet.nl home.nl xs4all.nl casema.nl telenet.be skynet.be proximus.be scarlet.be pandora.be
  telia.com bredband.net comhem.se spray.se online.no broadpark.no tele2.se mail.dk jubii.dk stofanet.dk elisanet.fi kolumbus.fi suomi24.fi luukku.com
  btinternet.com virginmedia.com blueyonder.co.uk ntlworld.com sky.com talktalk.net tiscali.co.uk plusnet.com eircom.net
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com optonline.net frontier.com windstream.net
  rogers.com shaw.ca sympatico.ca telus.net videotron.ca uol.com.br bol.com.br terra.com.br ig.com.br globo.com
  bigpond.com bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz
  qq.com 163.com 126.com yeah.net sina.com sina.cn sohu.com foxmail.com 139.com 189.cn aliyun.com naver.com hanmail.net daum.net kakao.com nate.com
  docomo.ne.jp ezweb.ne.jp softbank.ne.jp i.softbank.jp rediffmail.com indiatimes.com walla.co.il walla.com netvision.net.il mynet.com
`

const known: ReadonlySet<string> = new Set(domains.split(/\s+/).filter(Boolean))

/** Whether anybody can have a mailbox at a domain, which is in lower case. */
export function isPublicDomain(domain: string): boolean {
  return known.has(domain)
}
