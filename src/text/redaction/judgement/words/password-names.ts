import { toWords } from "./to-words.ts";

/** A name that ends in one of these names a password, whatever is glued before it: `dbpassword`. */
export const PASSWORD_ENDINGS = toWords(`
passcode
passphrase
passw
passwd
password
passwrd
pwd
`);

/** Names of passwords that are a whole word, also with an `s` at their end. */
export const PASSWORD_NAMES = toWords(`
adgangskode
adminpass
amqppass
apipass
apppass
authpass
bindpass
bindpw
certpass
clave
contrasena
contraseña
dbpass
espass
ftppass
gitpass
haslo
hasło
heslo
httppass
imappass
jelszo
jelszó
kafkapass
kennwort
keypass
ldappass
loginpass
losenord
lozinka
lösenord
mailpass
masterpass
mdp
mongopass
mqttpass
mypass
mysqlpass
parola
parool
pass
passe
passwort
pdfpass
pgpass
proxypass
psswd
psw
pswd
pw
pword
rabbitpass
redispass
requirepass
rootpass
rootpw
rpcpass
salasana
sapass
senha
sifre
smtppass
sqlpass
sshpass
storepass
sudopass
superpass
svcpass
syspass
tlspass
userpass
userpw
vpnpass
wachtwoord
webpass
wifipass
zippass
`);

/** Names of passwords in languages without spaces and in other scripts. They end the name. */
export const PASSWORD_ENDINGS_OTHER_SCRIPTS = toWords(`
пароль
パスワード
口令
密码
密碼
暗証番号
비밀번호
암호
`);

/** In a list of translations the value is the name in another language. */
export const TRANSLATED_NAMES = toWords(`
adgangskode
contraseña
hasło
heslo
jelszó
kennwort
lösenord
palavra-passe
parola
parool
password
passwort
salasana
senha
wachtwoord
şifre
пароль
パスワード
密码
密碼
비밀번호
`);
