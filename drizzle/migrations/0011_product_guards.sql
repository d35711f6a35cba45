alter table products drop constraint products_category_fk, add constraint products_category_fk
  foreign key (account_id, category_id) references product_categories (account_id, id)
  on delete set null (category_id);
