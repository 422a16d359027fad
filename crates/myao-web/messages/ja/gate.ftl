# Why a request is refused before any page is made.

gate-foreign-host = このアドレスでは開けません。使えるアドレスは web.hosts で決めます。
gate-other-site-asked = ほかのサイトのページからの要求です。このアドレスを新しいタブで開いてください。
gate-the-form-is-too-long = 入力が長すぎます。
gate-form-too-old = 入力フォームが古いか、このサイトのものではありません。ページを読み込み直してください。
